/** `/[company]/schedules` */
export function schedulesPath(company: string): string {
  return `/${company}/schedules`;
}

/** `/[company]/schedules/[id]` */
export function schedulePath(company: string, id: number): string {
  return `${schedulesPath(company)}/${id}`;
}

/**
 * The list of files, or those of one project; files without a project for null.
 * @param project omitted: all files
 */
export function filesPath(
  company: string,
  project?: { id: number; source: string | null } | null,
): string {
  const search = new URLSearchParams({ view: "files" });
  if (project !== undefined) search.set("project", project === null ? "none" : String(project.id));
  if (project?.source) search.set("source", project.source);
  return `${schedulesPath(company)}?${search}`;
}
