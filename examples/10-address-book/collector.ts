import type { SharedAccessSignature } from '@rowkey/rest'
import { connect, type Table } from 'rowkey'
import { Contact } from './contact.ts'

/** Deletes the entries of customers who left, 100 in a batch. */
export class Collector {
  readonly #contacts: Table<Contact>

  constructor(endpoint: string, table: string, { token }: SharedAccessSignature) {
    this.#contacts = connect({ endpoint, credential: { sas: token } }).table(Contact, table)
  }

  /** Deletes all entries of a customer, and returns their number. Running it again is safe. */
  async collect(customerId: string): Promise<number> {
    let deleted = 0
    const pages = this.#contacts.query().where({ customerId }).pageSize(100).byPage()
    for await (const { items } of pages) {
      if (items.length === 0) continue
      const batch = this.#contacts.batch()
      for (const contact of items) batch.delete(contact)
      await batch.submit()
      deleted += items.length
    }
    return deleted
  }
}
