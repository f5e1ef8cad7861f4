import ConfirmDialog from "@/components/resource/confirm-dialog";
import { refusedFor } from "@/components/session/refused";
import { statusOf } from "@/lib/client/api";
import { removeDemo } from "@/lib/client/queries/settings/demo";
import { proof, refusal, removeDialog as words } from "./remove-demo-words";

/**
 * What goes with the demo, and what stays. Default export for `lazyPart`.
 * @param kind names the dialog, to open it again after a sign-in
 */
export default function RemoveDemoDialog({
  kind,
  companies,
  onClose,
}: {
  kind: string;
  companies: readonly string[];
  onClose: () => void;
}) {
  const remove = async () => {
    try {
      await removeDemo();
      // Every page, list and menu may have shown it.
      window.location.assign("/companies");
      return null;
    } catch (error) {
      return refusedFor(error, (other) => refusal(statusOf(other)));
    }
  };
  return (
    <ConfirmDialog
      title={words.title}
      keep={words.keep}
      act={words.act}
      proof={{ words: proof, kept: () => ({ kind, state: null }) }}
      onDo={remove}
      onClose={onClose}
    >
      <p>{words.goes(companies)}</p>
      <p className="mt-2">{words.stays}</p>
    </ConfirmDialog>
  );
}
