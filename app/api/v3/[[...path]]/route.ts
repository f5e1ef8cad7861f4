import { answerV3 } from "@/lib/v3-service/instance";

/** The v3 API itself, when it is embedded. The service decides which methods an address supports. */
export {
  answerV3 as DELETE,
  answerV3 as GET,
  answerV3 as HEAD,
  answerV3 as OPTIONS,
  answerV3 as PATCH,
  answerV3 as POST,
  answerV3 as PUT,
};
