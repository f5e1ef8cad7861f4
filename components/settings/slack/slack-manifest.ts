/**
 * What Slack's "Create an app from a manifest" takes: JSON.
 * @param host of our pages, with a port if it has one; links to it are previewed
 */
export function slackManifest(host: string): string {
  const manifest = {
    display_information: { name: "Plumbline", description: "Is your customers’ data in sync?" },
    features: {
      bot_user: { display_name: "Plumbline", always_online: true },
      unfurl_domains: [host.replace(/:\d+$/, "")],
    },
    oauth_config: { scopes: { bot: ["chat:write", "links:read", "links:write"] } },
    settings: {
      event_subscriptions: { bot_events: ["link_shared"] },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
  return JSON.stringify(manifest, null, 2);
}
