import { Entity, PartitionKey, RowKey } from 'rowkey'

/** An entry of a customer's address book. */
@Entity('addressbook')
export class Contact {
  @PartitionKey() customerId!: string
  /** `LastName,FirstName`. */
  @RowKey() contactName!: string
  address?: string
  email?: string
  phoneNumber?: string
}
