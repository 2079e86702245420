import type { RawEntity } from '@rowkey/odata'

/** What the service adds to a row that it returns. */
const ADDED = /^(?:odata\..*|Timestamp|Timestamp@odata\.type)$/

/**
 * Writes a row as JSON for the service, with every property and type that it has.
 *
 * @param raw - the row as it was fetched; its types are beside its values
 */
export function rawText(raw: RawEntity): string {
  const members: string[] = []
  for (const [name, value] of Object.entries(raw)) {
    if (!ADDED.test(name)) members.push(`${JSON.stringify(name)}:${valueText(value)}`)
  }
  return `{${members.join(',')}}`
}

/** JSON.stringify drops the sign of zero. */
function valueText(value: unknown): string {
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value)
}
