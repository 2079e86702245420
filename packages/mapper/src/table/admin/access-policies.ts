import {
  type AccessPolicy,
  type CallOptions,
  callOptions,
  getTableAcl,
  perform,
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
   * @throws TableNotFoundError when the table does not exist
   */
  async get(options: CallOptions = {}): Promise<AccessPolicy[]> {
    this.#check(options, 'get')
    return this.#read(options)
  }

  /**
   * Replaces all policies of the table.
   *
   * @param policies - at most 5, each with its own id; an empty list removes all
   * @throws InputError (`InvalidAccessPolicy`) for policies that the service would reject; nothing is
   * sent then
   * @throws TableNotFoundError when the table does not exist
   */
  async set(policies: readonly AccessPolicy[], options: CallOptions = {}): Promise<void> {
    this.#check(options, 'set')
    return this.#write(policies, options)
  }

  /**
   * Removes one policy, and with it every SAS that refers to it. It reads the policies and writes the
   * others back, so a concurrent change of the policies is lost.
   *
   * @param id - the policy's id; never reuse it, or old SAS become valid again
   * @returns true when the policy existed; otherwise nothing is written
   * @throws TableNotFoundError when the table does not exist
   */
  async revoke(id: string, options: CallOptions = {}): Promise<boolean> {
    this.#check(options, 'revoke')
    const service = this.#service
    // The copy in a second region may still have a revoked policy.
    const primary = { ...options, locationMode: 'primaryOnly' } as const
    return service.runAsOne(primary, async (call) => {
      const policies = await this.#read(call)
      const others = policies.filter((policy) => policy.id !== id)
      if (others.length === policies.length) return false
      await this.#write(others, call)
      return true
    })
  }

  #read(options: CallOptions): Promise<AccessPolicy[]> {
    return perform(this.#service, getTableAcl, { table: this.#table }, options)
  }

  async #write(policies: readonly AccessPolicy[], options: CallOptions): Promise<void> {
    await perform(this.#service, setTableAcl, { table: this.#table, policies }, options)
  }

  #check(options: CallOptions, method: string): void {
    callOptions.check(options, `${method} of the policies of table ${this.#table}`)
  }
}
