import { type DateTimeValue, findDateTime, printDateTime } from '@rowkey/odata'
import type { XmlElement } from '../xml/parse-xml.ts'
import { readXmlResponse, unexpectedXml } from '../xml/read-xml.ts'
import { writeXml, type XmlContent } from '../xml/write-xml.ts'
import type { AccessPolicy } from './access-policy.ts'

/**
 * Reads the policies in a response to Get Table ACL. Their times are Dates with all seven digits of a
 * second.
 *
 * @param body - the response's body
 * @throws {@link DecodeError} when it is anything else
 */
export async function readAccessPolicies(body: string): Promise<AccessPolicy[]> {
  const root = await readXmlResponse('getTableAcl', body, 'SignedIdentifiers')
  return root.childrenNamed('SignedIdentifier').map(readIdentifier)
}

function readIdentifier(identifier: XmlElement): AccessPolicy {
  const id = identifier.child('Id')?.text
  if (!id) throw unexpectedXml('getTableAcl', 'a policy without Id')
  const policy = identifier.child('AccessPolicy')
  const start = policy?.child('Start')?.text
  const expiry = policy?.child('Expiry')?.text
  const permissions = policy?.child('Permission')?.text
  return {
    id,
    ...(start && { start: readTime(start) }),
    ...(expiry && { expiry: readTime(expiry) }),
    ...(permissions && { permissions }),
  }
}

function readTime(text: string): DateTimeValue {
  const time = findDateTime(text)
  if (time !== undefined) return time
  throw unexpectedXml('getTableAcl', 'a policy with times that are not ISO 8601')
}

/** The order of the letters that every version of the service accepts. */
const PERMISSION_ORDER = 'raud'

/**
 * Writes policies as the XML of Set Table ACL.
 *
 * @param policies - the policies, checked
 */
export function writeAccessPolicies(policies: readonly AccessPolicy[]): string {
  return writeXml('SignedIdentifiers', { SignedIdentifier: policies.map(toIdentifier) })
}

function toIdentifier({ id, start, expiry, permissions }: AccessPolicy): XmlContent {
  return {
    Id: id,
    AccessPolicy: {
      Start: start && printDateTime(start),
      Expiry: expiry && printDateTime(expiry),
      Permission: permissions && inOrder(permissions),
    },
  }
}

/** Unknown letters come first and unchanged, so that the service rejects them. */
function inOrder(permissions: string): string {
  const order = (letter: string): number => PERMISSION_ORDER.indexOf(letter)
  return [...permissions].sort((a, b) => order(a) - order(b)).join('')
}
