import { memberText, type RawEntity, readProperty } from '@rowkey/odata'
import { memberJson } from './member-json.ts'

/**
 * The stored properties that a class does not declare, as further members of a JSON object. A
 * replace sends them along, so that no data is dropped by a class that does not know of it.
 *
 * @param raw - the entity as it was read
 * @param declared - the stored names the class writes itself
 */
export function undeclaredMembers(raw: RawEntity, declared: ReadonlySet<string>): string {
  let text = ''
  for (const name of Object.keys(raw)) {
    // No property name holds a dot; `odata.etag` and `<name>@odata.type` do.
    if (declared.has(name) || name.includes('.')) continue
    const stored = readProperty(raw, name)
    if (stored !== undefined) text += memberJson(memberText(name), stored.type, stored.value)
  }
  return text
}
