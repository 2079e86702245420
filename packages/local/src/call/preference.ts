import type { ServiceCall } from './service-call.ts'

/** What a client may prefer to get back from a create or an insert. */
export type Preference = 'return-content' | 'return-no-content'

/** The preference that an insert or a create-table states; the other operations have none. */
export function preferenceOf(call: ServiceCall): Preference | undefined {
  const { kind } = call.resource
  if (call.method !== 'POST' || (kind !== 'tables' && kind !== 'entities')) return undefined
  const prefer = call.headers.prefer?.trim().toLowerCase()
  return prefer === 'return-content' || prefer === 'return-no-content' ? prefer : undefined
}
