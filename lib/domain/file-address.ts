/** `/[company]/schedules` */
export function schedulesPath(company: string): string {
  return `/${company}/schedules`;
}

/** `/[company]/schedules/[id]` */
export function schedulePath(company: string, id: number): string {
  return `${schedulesPath(company)}/${id}`;
}
