/** Where the page's scripts fetch what was typed before they ran. */
const TAKE = "earlyKeys";
/** Whoever has paused for longer than this has given up on what was typed before. */
const PAUSE_MS = 5000;
/** On the button that leads to the search: what was typed for it so far. Styled in shell.css. */
export const HEARD = "data-heard";

/**
 * Runs before everything else of a page, in any browser (ES5), and hears keys until the page's own scripts
 * do. What is typed into a field is typed natively, and `/` leads to the filter at once. Kept are the text for
 * the search after Ctrl K, and the keys of the overview. Enter, Delete and anything with a modifier never are.
 */
export const LISTEN = `(function(w,d){
var keys=[],text=null,last=0;
function hear(e){
var k=e.key||"",n=Date.now(),f=d.querySelector(".find");
if(n-last>${PAUSE_MS}){keys=[];text=null}
if(f&&/^k$/i.test(k)&&e.ctrlKey!=e.metaKey&&!e.altKey&&!e.shiftKey){
if(!e.repeat)text=text==null?"":null
}else if(e.ctrlKey||e.metaKey||e.altKey||e.isComposing)return;
else if(text!=null){
if(k=="Escape")text=null;
else if(k=="Backspace")text=text.slice(0,-1);
else if(!k[1])text+=k;
else if(k!="Enter")return
}else if(e.target.closest("input,textarea,select"))return;
else if(k=="/"){
if(!(k=d.querySelector('[aria-keyshortcuts="/"]')))return;
k.focus()
}else{
if(/^[0-8?jk]$/.test(k)&&!keys[49]){keys.push(k);last=n}
return
}
e.preventDefault();
last=n;
if(f)text==null?f.removeAttribute("${HEARD}"):f.setAttribute("${HEARD}",text)
}
d.addEventListener("keydown",hear,true);
w.${TAKE}=function(){
d.removeEventListener("keydown",hear,true);
return{keys:keys,text:text,last:last}
}
})(window,document)`;

/** What was typed before the page was awake. */
export type EarlyKeys = {
  /** Pressed outside of fields, in order. */
  keys: readonly string[];
  /** Typed for the search; null: it was not asked for. */
  text: string | null;
};

/**
 * From here on the caller hears keys itself.
 * @param nowMs the browser's clock, epoch milliseconds
 * @returns nothing typed when that is too long ago; null when it was told before
 */
export function takeEarlyKeys(nowMs: number): EarlyKeys | null {
  const take: unknown = Reflect.get(window, TAKE);
  if (typeof take !== "function") return null;
  Reflect.deleteProperty(window, TAKE);
  const { last, ...typed } = (take as () => EarlyKeys & { last: number })();
  return nowMs - last > PAUSE_MS ? { keys: [], text: null } : typed;
}
