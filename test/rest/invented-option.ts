import type { Line, TableService } from '@rowkey/rest'

/** What each operation of a service had as the option `invented`. */
export interface Sightings {
  /** The service. */
  readonly service: TableService
  /** `operation: value` of each operation that made requests since the list was emptied. */
  readonly seen: string[]
}

/**
 * Watches each operation that a service performs, for an option that no code knows.
 *
 * @param seen - the list
 */
export function seeingOptions(service: TableService, seen: string[] = []): Sightings {
  const line: Line = (call, operation, input) => {
    seen.push(`${operation.name}: ${String(Reflect.get(call.given, 'invented'))}`)
    return service.line(call, operation, input)
  }
  return { service: { ...service, line }, seen }
}
