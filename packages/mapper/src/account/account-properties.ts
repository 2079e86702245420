import {
  type CallOptions,
  checkOptions,
  getServiceProperties,
  perform,
  type ServiceProperties,
  setServiceProperties,
  type TableService,
} from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../table/call-options.ts'

/**
 * What an account's table service logs, measures, and lets browsers do, from
 * {@link Account.properties}. Cosmos DB has none of it.
 *
 * @example
 * ```ts
 * const { hourMetrics, cors } = await account.properties.get()
 * await account.properties.set({ hourMetrics: { enabled: true, retentionDays: 7 } })
 * ```
 */
export class AccountProperties {
  readonly #service: TableService

  /** @internal */
  constructor(service: TableService) {
    this.#service = service
  }

  /** Reads all properties. */
  async get(options: CallOptions = {}): Promise<ServiceProperties> {
    checkOptions(options, CALL_OPTION_NAMES, 'get of the properties of an account')
    return perform(this.#service, getServiceProperties, {}, options)
  }

  /**
   * Changes the properties that are given; the others stay. A change counts within 30 seconds.
   *
   * @param properties - logging, hourMetrics, minuteMetrics and cors, each whole when it is given
   * @throws InputError (`InvalidServiceProperties`) when the service takes no such properties; nothing is sent then
   */
  async set(properties: ServiceProperties, options: CallOptions = {}): Promise<void> {
    checkOptions(options, CALL_OPTION_NAMES, 'set of the properties of an account')
    await perform(this.#service, setServiceProperties, properties, options)
  }
}
