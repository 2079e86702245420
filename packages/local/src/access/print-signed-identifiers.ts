import { printElement, printText } from '../xml/print-xml.ts'
import { printPolicyTime } from './policy-time.ts'
import type { SignedIdentifier } from './signed-identifier.ts'

/** The policies of a table as XML; one without terms has no `AccessPolicy` either. */
export function printSignedIdentifiers(policies: readonly SignedIdentifier[]): string {
  return printElement('SignedIdentifiers', policies.map(printIdentifier).join(''))
}

function printIdentifier({ id, start, expiry, permissions }: SignedIdentifier): string {
  const terms = [
    start === undefined ? '' : printText('Start', printPolicyTime(start)),
    expiry === undefined ? '' : printText('Expiry', printPolicyTime(expiry)),
    permissions === undefined ? '' : printText('Permission', permissions),
  ].join('')
  const policy = terms === '' ? '' : printElement('AccessPolicy', terms)
  return printElement('SignedIdentifier', printText('Id', id) + policy)
}
