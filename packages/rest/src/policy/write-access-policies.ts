import { printDateTime } from '@rowkey/odata'
import { writeElement, writeText, XML_DECLARATION } from '../xml/write-xml.ts'
import type { AccessPolicy } from './access-policy.ts'

/** The order in which every version of the service takes the letters. */
const PERMISSION_ORDER = 'raud'

/**
 * Policies as the XML that Set Table ACL takes.
 *
 * @param policies - the policies, checked
 */
export function writeAccessPolicies(policies: readonly AccessPolicy[]): string {
  const content = policies.map(writeIdentifier).join('')
  return XML_DECLARATION + writeElement('SignedIdentifiers', content)
}

function writeIdentifier({ id, start, expiry, permissions }: AccessPolicy): string {
  let policy = ''
  if (start !== undefined) policy += writeText('Start', printDateTime(start))
  if (expiry !== undefined) policy += writeText('Expiry', printDateTime(expiry))
  if (permissions !== undefined) policy += writeText('Permission', inOrder(permissions))
  return writeElement(
    'SignedIdentifier',
    writeText('Id', id) + writeElement('AccessPolicy', policy),
  )
}

/** Letters that are not known come first, as they were: the service shall refuse them, not lose them. */
function inOrder(permissions: string): string {
  const order = (letter: string): number => PERMISSION_ORDER.indexOf(letter)
  return [...permissions].sort((a, b) => order(a) - order(b)).join('')
}
