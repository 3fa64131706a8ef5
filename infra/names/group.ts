/** Name of a stage's connection group, and comment of its distribution for names of tenants' own; the command finds both by it. */
export function groupName(app: string, stage: string): string {
  return `${app}-${stage}`
}

/** The parameter of a name that says whose it is. */
export const TENANT = 'tenant'
