import { Segmented } from "@/components/ui/segmented";
import { toolWords } from "./project-words";

/** Chooses between projects and files. @param projects number of them, as known; null: unknown. `files` likewise */
export function ViewSwitch({
  view,
  projects,
  files,
  onChange,
}: {
  view: "projects" | "files";
  projects: number | null;
  files: number | null;
  onChange: (view: "projects" | "files") => void;
}) {
  return (
    <Segmented
      label={toolWords.view}
      value={view}
      options={[
        { value: "projects", label: toolWords.projects(projects) },
        { value: "files", label: toolWords.files(files) },
      ]}
      onChange={onChange}
      className="max-sm:h-10 max-sm:w-full max-sm:[&>button]:flex-1"
    />
  );
}
