import type { ProviderRequest } from "./provider-request.ts";

/** Marks the last message as the one that is tapped or replied to. */
export function withControls(requests: readonly ProviderRequest[]): ProviderRequest[] {
  const last = requests.length - 1;
  return requests.map((request, index) => (index === last ? { ...request, carriesControls: true } : request));
}
