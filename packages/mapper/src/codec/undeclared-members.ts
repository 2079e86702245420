import { memberText, propertyNamesOf, type RawEntity, readProperty } from '@rowkey/odata'
import { memberJson } from './member-json.ts'

/**
 * Writes the stored properties that a class does not declare as further members of a JSON object. A
 * replace sends them too, so that it does not drop properties of other programs.
 *
 * @param raw - the entity as it was read
 * @param declared - the stored names that the class writes itself
 */
export function undeclaredMembers(raw: RawEntity, declared: ReadonlySet<string>): string {
  let text = ''
  for (const name of propertyNamesOf(raw)) {
    if (declared.has(name)) continue
    const stored = readProperty(raw, name)
    if (stored !== undefined) text += memberJson(memberText(name), stored.type, stored.value)
  }
  return text
}
