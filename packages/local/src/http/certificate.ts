import { createSecureContext } from 'node:tls'
import { invalidOption } from '@rowkey/odata'
import { type ListenTls, tlsOptions } from '../service/listen-options.ts'

/**
 * Checks that a certificate and a private key belong together.
 *
 * @throws InputError (`InvalidOptionValue`), whose message never contains the key
 */
export function checkCertificate(tls: ListenTls): void {
  tlsOptions.check(tls, 'tls of listen')
  try {
    createSecureContext({ cert: tls.cert, key: tls.key })
  } catch {
    throw invalidOption(
      'tls of listen must be a certificate and its private key, without a password: Node cannot use these two.',
      'tls',
    )
  }
}
