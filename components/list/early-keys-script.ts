import { HEARD, TAKE } from "./early-keys";

/** Whoever has paused for longer than this has given up on what was typed before. */
const PAUSE_MS = 5000;

/**
 * Runs before everything else of a page, in any browser (ES5), and hears keys until the page's own scripts
 * do. The search and the rows of a page are hydrated at different times, so each takes what is its own. What is typed
 * into a field is typed natively, and `/` leads to the filter at once. Kept are the text for the search after
 * Ctrl K, and the keys of the overview. Enter, Delete and anything with a modifier never are. What is
 * kept is marked by its default being prevented: a page may be hydrated while the very key is on its way to it.
 */
export const LISTEN = `(function(d){
var keys=[],has=1,text=null,last=0,at="${HEARD}";
function hear(e){
var k=e.key||"",c=e.ctrlKey,m=e.metaKey,n=Date.now(),f=has&&d.querySelector(".find");
if(n-last>${PAUSE_MS}){keys=keys&&[];text=null}
if(f&&/^k$/i.test(k)&&c!=m&&!e.altKey&&!e.shiftKey){
if(!e.repeat)text=text==null?"":null
}else if(c||m||e.altKey||e.isComposing)return;
else if(text!=null){
if(k=="Escape")text=null;
else if(k=="Backspace")text=text.slice(0,-1);
else if(!k[1])text+=k;
else if(k!="Enter")return
}else if(!keys||e.target.closest("input,textarea,select"))return;
else if(k=="/"){
if(!(k=d.querySelector('[aria-keyshortcuts="/"]')))return;
k.focus()
}else if(/^[0-8?jk]$/.test(k)&&!keys[49])keys.push(k);
else return;
e.preventDefault();
last=n;
if(f)text==null?f.removeAttribute(at):f.setAttribute(at,text)
}
d.addEventListener("keydown",hear,true);
window.${TAKE}=function(s){
var t=s?text:keys;
s?has=text=null:keys=null;
has||keys||d.removeEventListener("keydown",hear,true);
return Date.now()-last>${PAUSE_MS}?null:t
}
})(document)`.replaceAll("\n", "");
