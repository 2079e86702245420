import {
  type AccessPolicy,
  type Call,
  type CallOptions,
  callOf,
  getTableAcl,
  setTableAcl,
  type TableService,
} from '@rowkey/rest'

/**
 * The stored access policies of one table, from {@link Table.accessPolicies}. A policy sets permissions
 * and times for all SAS that refer to it. A change takes effect within 30 seconds. All calls need the
 * account's key.
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
   * Requests: `1`.
   *
   * @throws TableNotFoundError when the table does not exist
   */
  async get(options: CallOptions = {}): Promise<AccessPolicy[]> {
    return this.#call('get', options).perform(getTableAcl, { table: this.#table })
  }

  /**
   * Replaces all policies of the table.
   *
   * Requests: `1`.
   *
   * @param policies - at most 5, each with its own id; an empty list removes all
   * @throws InputError (`InvalidAccessPolicy`) for policies that the service would reject; nothing is
   * sent then
   * @throws TableNotFoundError when the table does not exist
   */
  async set(policies: readonly AccessPolicy[], options: CallOptions = {}): Promise<void> {
    await this.#call('set', options).perform(setTableAcl, { table: this.#table, policies })
  }

  /**
   * Removes one policy, and with it every SAS that refers to it. It reads the policies and writes the
   * others back, so a concurrent change of the policies is lost.
   *
   * Requests: `existed ? 2 : 1`.
   *
   * @param id - the policy's id; never reuse it, or old SAS become valid again
   * @returns true when the policy existed; otherwise nothing is written
   * @throws TableNotFoundError when the table does not exist
   */
  async revoke(id: string, options: CallOptions = {}): Promise<boolean> {
    const call = this.#call('revoke', options)
    return call.run(async () => {
      // The copy in a second region may still have a revoked policy.
      const policies = await call.atPrimary().perform(getTableAcl, { table: this.#table })
      const others = policies.filter((policy) => policy.id !== id)
      if (others.length === policies.length) return false
      await call.perform(setTableAcl, { table: this.#table, policies: others })
      return true
    })
  }

  #call(method: string, options: CallOptions): Call {
    return callOf(this.#service, options, `${method} of the policies of table ${this.#table}`)
  }
}
