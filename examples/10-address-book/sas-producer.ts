import type { SharedAccessSignature } from '@rowkey/rest'
import { datedPolicyId, type Table } from 'rowkey'
import type { Contact } from './contact.ts'

const HALF_HOUR = 30 * 60_000
/** The latest expiry: the policy ends the access, not the date. */
const NEVER = new Date(Date.UTC(9999, 11, 31))

/** The only part with the account key: it gives clients and the collector their tokens. */
export class SasProducer {
  readonly #addressBook: Table<Contact>
  #collectorPolicy = ''

  constructor(addressBook: Table<Contact>) {
    this.#addressBook = addressBook
  }

  /** Gives a client a token for the entries of one customer, for 30 minutes. It sends no request. */
  tokenForClient(customerId: string): SharedAccessSignature {
    const partition = { partitionKey: customerId }
    return this.#addressBook.sas({
      permissions: 'raud',
      expiry: new Date(Date.now() + HALF_HOUR),
      from: partition,
      to: partition,
    })
  }

  /** Gives the collector a token to read and delete all entries, until it is revoked. */
  async tokenForCollector(): Promise<SharedAccessSignature> {
    // The time makes the id new: a policy with a revoked id would make old tokens valid again.
    this.#collectorPolicy = datedPolicyId('collector', Date.now())
    // Clocks differ, so it begins in the past; Azurite rejects a policy without a beginning.
    const start = new Date(Date.now() - HALF_HOUR)
    await this.#addressBook.accessPolicies.set([
      { id: this.#collectorPolicy, permissions: 'rd', start, expiry: NEVER },
    ])
    return this.#addressBook.sas({ policy: this.#collectorPolicy })
  }

  /** Ends the access of every token that {@link tokenForCollector} returned last. */
  revokeCollector(): Promise<boolean> {
    return this.#addressBook.accessPolicies.revoke(this.#collectorPolicy)
  }
}
