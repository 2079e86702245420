import type { Service } from './service.ts'

/** The service as one of an account's locations shows it: the secondary may be behind. */
export async function placeOf(service: Service, isSecondary: boolean): Promise<Service> {
  const { replication } = service
  if (replication === undefined) return service
  const store = isSecondary ? await replication.secondary() : await replication.primary()
  return { ...service, store }
}
