import {
  type AccessPolicy,
  type CallOptions,
  getServiceProperties,
  getServiceStats,
  getTableAcl,
  perform,
  type ServiceProperties,
  type ServiceStatistics,
  setServiceProperties,
  setTableAcl,
  type TableService,
} from '@rowkey/rest'

/** Reads the properties of an account. */
export function readProperties(
  service: TableService,
  options: CallOptions,
): Promise<ServiceProperties> {
  return perform(service, getServiceProperties, {}, options)
}

/** Changes some properties of an account. */
export async function writeProperties(
  service: TableService,
  properties: ServiceProperties,
  options: CallOptions,
): Promise<void> {
  await perform(service, setServiceProperties, properties, options)
}

/** Reads the replication status of the copy in a second region. */
export function readStatistics(
  service: TableService,
  options: CallOptions,
): Promise<ServiceStatistics> {
  return perform(service, getServiceStats, {}, options)
}

/** Reads the stored access policies of a table. */
export function readPolicies(
  service: TableService,
  table: string,
  options: CallOptions,
): Promise<AccessPolicy[]> {
  return perform(service, getTableAcl, { table }, options)
}

/** Replaces the stored access policies of a table. */
export async function writePolicies(
  service: TableService,
  table: string,
  policies: readonly AccessPolicy[],
  options: CallOptions,
): Promise<void> {
  await perform(service, setTableAcl, { table, policies }, options)
}

/** Removes one access policy, and writes the others back; tells whether it existed. */
export async function revokePolicy(
  service: TableService,
  table: string,
  id: string,
  options: CallOptions,
): Promise<boolean> {
  // The copy in a second region may still have a revoked policy.
  const within = service.withDeadline({ ...options, locationMode: 'primaryOnly' })
  const policies = await readPolicies(service, table, within)
  const others = policies.filter((policy) => policy.id !== id)
  if (others.length === policies.length) return false
  await writePolicies(service, table, others, within)
  return true
}
