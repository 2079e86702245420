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
  if (!Array.isArray(select) || select.length > MOST_NAMES || !select.every(isName)) {
    throw restInputError({
      code: 'InvalidQueryOption',
      message: `$select must be an array of up to ${MOST_NAMES} names.`,
    })
  }
  if (select.length === 0) return ''
  return `$select=${escapeOption('$select', select.join(','))}`
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[^,]+$/.test(name)
}
