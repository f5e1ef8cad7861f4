import { route } from "@/lib/server/gate/route";
import { getAlarmLoad } from "@/lib/server/operations/alarm-load/get-alarm-load";

export const GET = route({ right: "manage-rules" }, ({ runtime, person }) =>
  getAlarmLoad(runtime, { person }),
);
