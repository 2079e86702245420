import { restInputError } from '../errors/codes.ts'
import { escapeOption } from './path.ts'

const MOST_NAMES = 255

/**
 * Builds the `$select` of a request, percent-encoded. Without names it is empty.
 *
 * @param select - stored names; all properties when absent or empty
 * @throws `InputError` (`InvalidQueryOption`) for names that the service would reject
 */
export function selectText(select: readonly string[] = []): string {
  if (select.length === 0) return ''
  if (select.length > MOST_NAMES) {
    throw restInputError({
      code: 'InvalidQueryOption',
      message: `$select has ${select.length} properties, but an entity has at most ${MOST_NAMES}.`,
    })
  }
  for (const name of select) {
    if (typeof name !== 'string' || name === '' || name.includes(',')) {
      throw restInputError({
        code: 'InvalidQueryOption',
        message: `$select contains ${JSON.stringify(name)}, which is not a property name. Give each name as a string of its own.`,
      })
    }
  }
  return `$select=${escapeOption('$select', select.join(','))}`
}
