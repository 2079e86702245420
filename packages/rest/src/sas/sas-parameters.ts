import { AccountKeyRequiredError } from '../errors/account-key-required-error.ts'
import { SasError } from '../errors/sas-error.ts'
import { SharedKeyCredential } from '../sign/shared-key-credential.ts'
import { checkIpRange } from './ip-range.ts'
import type { SasProtocol, SasTerms } from './sas-terms.ts'
import { printSasTime } from './sas-time.ts'
import { ACCOUNT_SAS_VERSION } from './sas-version.ts'

/** The parameters of a token by their names on the wire, without the signature. */
export type SasParameters = Readonly<Record<string, string | undefined>>

/**
 * The parameters that every kind of token has.
 *
 * @param terms - what was asked for
 * @param version - its version, checked
 * @throws {@link SasError} for what no service would ever accept
 */
export function termParameters(terms: SasTerms, version: string): SasParameters {
  checkSigner(terms.credential)
  checkTimes(terms)
  const { start, expiry, ips } = terms
  if (ips !== undefined) checkHas('ips', version)
  return {
    sv: version,
    st: start && printSasTime(start, 'start'),
    se: expiry && printSasTime(expiry, 'expiry'),
    sip: ips === undefined ? undefined : checkIpRange(ips),
    spr: checkProtocol(terms.protocol, version),
  }
}

function checkSigner(credential: SharedKeyCredential): void {
  if (credential instanceof SharedKeyCredential) return
  throw new AccountKeyRequiredError({
    message:
      'Making a SAS needs the account key: credential must be a SharedKeyCredential. With a SAS or a token alone none can be made.',
  })
}

function checkTimes({ start, expiry, now = Date.now }: SasTerms): void {
  if (start !== undefined) printSasTime(start, 'start')
  if (expiry === undefined) return
  printSasTime(expiry, 'expiry')
  const earliest = Math.max(now(), start?.getTime() ?? 0)
  if (expiry.getTime() > earliest) return
  throw new SasError({ message: 'expiry of a SAS must be in the future, and after its start.' })
}

function checkProtocol(protocol: SasProtocol | undefined, version: string): string | undefined {
  if (protocol === undefined) return version < ACCOUNT_SAS_VERSION ? undefined : 'https'
  checkHas('protocol', version)
  if (protocol === 'https' || protocol === 'https,http') return protocol
  throw new SasError({ message: "protocol of a SAS must be 'https' or 'https,http'." })
}

function checkHas(name: string, version: string): void {
  if (version >= ACCOUNT_SAS_VERSION) return
  throw new SasError({
    message: `${name} of a SAS came with version ${ACCOUNT_SAS_VERSION}: leave it out, or take a later version.`,
  })
}

/**
 * A token: its parameters and their signature, percent-encoded.
 *
 * @param parameters - without the signature; those without a value are left out
 * @param signature - over the text that the version wants
 */
export function printSasToken(parameters: SasParameters, signature: string): string {
  const pairs = Object.entries({ ...parameters, sig: signature })
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.join('&')
}
