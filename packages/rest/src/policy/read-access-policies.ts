import { type DateTimeValue, parseDateTime } from '@rowkey/odata'
import { notExpected, readXmlAnswer } from '../xml/read-xml-answer.ts'
import type { XmlElement } from '../xml/xml-element.ts'
import type { AccessPolicy } from './access-policy.ts'

/**
 * The policies in the answer to Get Table ACL. Their times are Dates that keep all seven digits of a
 * second.
 *
 * @param body - the answer's body
 * @throws {@link DecodeError} when it is something else
 */
export async function readAccessPolicies(body: string): Promise<AccessPolicy[]> {
  const root = await readXmlAnswer('getTableAcl', body, 'SignedIdentifiers')
  return root.children('SignedIdentifier').map(readIdentifier)
}

function readIdentifier(identifier: XmlElement): AccessPolicy {
  const id = identifier.child('Id')?.text
  if (!id) throw notExpected('getTableAcl', 'a policy that has no Id')
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
  try {
    return parseDateTime(text)
  } catch {
    throw notExpected('getTableAcl', 'a policy whose times are not ISO 8601')
  }
}
