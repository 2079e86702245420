import type { SasKeyRange } from './sas-key-range.ts'
import { parseSasTime } from './sas-time.ts'

/** What a token says that it allows. What it leaves out is `undefined`, and a policy may say it. */
export interface SasScope {
  /** Where the signature begins and ends to be good: milliseconds since 1970, UTC. */
  readonly start: number | undefined
  readonly expiry: number | undefined
  /** The letters of what may be done. */
  readonly permissions: string | undefined
  /** The protocols, as `spr` has them. */
  readonly protocol: string | undefined
  /** The table of a table SAS. */
  readonly table: string | undefined
  /** The keys of a table SAS. */
  readonly range: SasKeyRange
  /** The letters of the services and resource types of an account SAS. */
  readonly services: string | undefined
  readonly resourceTypes: string | undefined
}

/**
 * Reads what a token allows. Nothing is checked: the service may know forms that came later.
 *
 * @param token - a percent-encoded query string without `?`
 */
export function readSasScope(token: string): SasScope {
  const parameters = new URLSearchParams(token)
  const value = (name: string): string | undefined => parameters.get(name) ?? undefined
  return Object.freeze({
    start: parseSasTime(value('st')),
    expiry: parseSasTime(value('se')),
    permissions: value('sp'),
    protocol: value('spr'),
    table: value('tn'),
    range: { from: boundOf(value('spk'), value('srk')), to: boundOf(value('epk'), value('erk')) },
    services: value('ss'),
    resourceTypes: value('srt'),
  })
}

function boundOf(
  partitionKey: string | undefined,
  rowKey: string | undefined,
): SasKeyRange['from'] {
  return partitionKey === undefined ? undefined : { partitionKey, rowKey }
}
