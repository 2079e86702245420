import {
  Convert,
  type Converter,
  decorate,
  Entity,
  ETag,
  Ignore,
  Int64,
  key,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
  Timestamp,
} from 'rowkey'
import { Encrypted, type EncryptionKeys, type Secret } from 'rowkey/encryption'

declare const keys: EncryptionKeys
declare const upper: Converter<string, string>

class Customer {
  lastName!: string
  firstName = ''
  points?: bigint
  rating: number | null = null
  since?: Date
  ssn?: Secret<string>
  title?: string
  selected = false
  etag?: string
  modified?: Date
  get fullName(): string {
    return `${this.firstName} ${this.lastName}`
  }
}

decorate(Customer, Entity('people'), {
  lastName: PartitionKey(),
  firstName: [RowKey()],
  points: [Property('Int64'), StoreAs('p')],
  rating: Property('Double'),
  since: Property('DateTime'),
  ssn: Encrypted(keys),
  title: Convert(upper),
  selected: Ignore(),
  etag: ETag(),
  modified: Timestamp(),
  fullName: Property(),
})
decorate(Customer, { lastName: PartitionKey() })

// @ts-expect-error a partition key is a string
decorate(Customer, Entity('people'), { points: PartitionKey() })
// @ts-expect-error Int64 is not a Date
decorate(Customer, Entity('people'), { since: Int64() })
// @ts-expect-error the class has no member of this name
decorate(Customer, Entity('people'), { lastname: PartitionKey() })
// @ts-expect-error one of the decorators does not fit
decorate(Customer, { rating: [Property('Double'), Property('Guid')] })
// @ts-expect-error an encrypted member is declared as a Secret
decorate(Customer, { title: Encrypted(keys) })

class Needs {
  constructor(readonly id: string) {}
}
decorate(Needs, Entity({ name: 'needs', create: () => new Needs('') }), { id: RowKey() })
// @ts-expect-error a constructor that needs arguments needs `create`
decorate(Needs, Entity('needs'), { id: RowKey() })

class Keyed {
  state = ''
  id = 0
}
decorate(Keyed, Entity({ partitionKey: key`${'state'}`, rowKey: key`${'id:8'}` }), {})
// @ts-expect-error the class has no member for the part of the key
decorate(Keyed, Entity({ partitionKey: key`${'city'}`, rowKey: key`${'id:8'}` }), {})
