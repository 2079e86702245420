import {
  type AccessPolicy,
  type CallOptions,
  checkOptions,
  getTableAcl,
  perform,
  setTableAcl,
  type TableService,
} from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../call-options.ts'

/**
 * The stored access policies of one table, from {@link Table.accessPolicies}: what SAS that name a
 * policy may do, and when. A change counts within 30 seconds. It takes the account's key.
 *
 * @example
 * ```ts
 * const readers = { id: 'readers-2026-11', permissions: 'r', expiry: new Date('2026-12-01') }
 * await customers.accessPolicies.set([readers])
 * await customers.accessPolicies.revoke('readers-2026-11') // every SAS that names it is void
 * ```
 */
export class AccessPolicies {
  readonly #service: TableService
  readonly #table: string

  /** @internal */
  constructor(service: TableService, table: string) {
    this.#service = service
    this.#table = table
  }

  /**
   * Reads the table's policies.
   *
   * @throws TableNotFoundError when there is no such table
   */
  async get(options: CallOptions = {}): Promise<AccessPolicy[]> {
    this.#check(options, 'get')
    return perform(this.#service, getTableAcl, { table: this.#table }, options)
  }

  /**
   * Puts policies in the place of all that the table has.
   *
   * @param policies - at most 5, each with an id of its own; none removes them all
   * @throws InputError (`InvalidAccessPolicy`) when the service takes no such policies; nothing is sent then
   * @throws TableNotFoundError when there is no such table
   */
  async set(policies: readonly AccessPolicy[], options: CallOptions = {}): Promise<void> {
    this.#check(options, 'set')
    await perform(this.#service, setTableAcl, { table: this.#table, policies }, options)
  }

  /**
   * Removes one policy and with it every SAS that names it. It reads the policies and writes the
   * others back, so a change that someone else makes in between is lost.
   *
   * @param id - the policy's id; choose another one for the next policy, or old SAS work again
   * @returns true when it was there; otherwise nothing is written
   * @throws TableNotFoundError when there is no such table
   */
  async revoke(id: string, options: CallOptions = {}): Promise<boolean> {
    this.#check(options, 'revoke')
    // The copy in a second region may still have a policy that was revoked since.
    const within = this.#service.withDeadline({ ...options, locationMode: 'primaryOnly' })
    const policies = await perform(this.#service, getTableAcl, { table: this.#table }, within)
    const others = policies.filter((policy) => policy.id !== id)
    if (others.length === policies.length) return false
    await perform(this.#service, setTableAcl, { table: this.#table, policies: others }, within)
    return true
  }

  #check(options: CallOptions, method: string): void {
    checkOptions(options, CALL_OPTION_NAMES, `${method} of the policies of table ${this.#table}`)
  }
}
