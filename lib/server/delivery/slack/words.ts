// The connection to Slack, for administrators.
export const CONNECTED = "Slack answers.";
export const NO_SOCKET = "Slack opened no connection.";
export const SOCKET_LOST = "The connection to Slack was lost.";
export const SOCKET_OFF = "Socket Mode is turned off in the Slack app.";
export const SOCKET_REFUSED = "Slack’s address for the connection isn’t among those allowed.";

/** The button in a message. */
export const IM_ON_IT = "I’m on it";
