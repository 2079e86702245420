import { connect, SasProviderCredential, type Table } from 'rowkey'
import { Contact } from './contact.ts'
import type { SasProducer } from './sas-producer.ts'

/** The app of one customer. It talks to the table directly, and never sees the account key. */
export class Client {
  readonly #customerId: string
  readonly #contacts: Table<Contact>

  constructor(producer: SasProducer, endpoint: string, table: string, customerId: string) {
    // The credential asks for a new token when half of the current one's 30 minutes are over.
    const credential = new SasProviderCredential({
      provide: () => producer.tokenForClient(customerId),
    })
    this.#customerId = customerId
    this.#contacts = connect({ endpoint, credential }).table(Contact, table)
  }

  /** Inserts an entry, or changes the given properties of an existing one. */
  async upsert(contactName: string, properties: Partial<Contact>): Promise<void> {
    const keys = { customerId: this.#customerId, contactName }
    await this.#contacts.insertOrMerge(Object.assign(new Contact(), properties, keys))
  }

  /** Finds an entry by `LastName,FirstName`. */
  find(contactName: string): Promise<Contact | undefined> {
    return this.#contacts.find([this.#customerId, contactName])
  }
}
