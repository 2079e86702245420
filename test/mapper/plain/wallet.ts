import {
  Convert,
  type Converter,
  DateTime,
  Entity,
  ETag,
  Ignore,
  Json,
  key,
  Property,
  Timestamp,
} from '@rowkey/mapper'
import { DateTimeValue } from '@rowkey/odata'

/** A value that JSON cannot hold. */
export class Money {
  readonly cents: bigint
  constructor(cents: bigint) {
    this.cents = cents
  }
}

/** Stores money as its cents. */
export const money: Converter<Money, bigint> = {
  type: 'Int64',
  toStored: ({ cents }) => cents,
  fromStored: (cents) => new Money(cents),
}

/** Stores a grade as its first letter. */
export const shortGrade: Converter<string, string> = {
  type: 'String',
  toStored: (grade) => grade.slice(0, 1),
  fromStored: (letter) => ({ g: 'good', b: 'bad' })[letter] ?? 'none',
}

/** An entity with members of every kind. */
@Entity({
  name: 'wallets',
  partitionKey: key`${'owner'}`,
  rowKey: key`${'opened:date'}_${'no:8n'}`,
})
export class Wallet {
  owner = ''
  opened = new Date(0)
  no = 0n
  @ETag() etag?: string
  @Timestamp() modified?: Date
  @Property('Int64') balance = 0n
  @Property('Double') rate?: number
  @Property('Binary') seal?: Uint8Array
  @DateTime() at?: Date
  @Property('Guid') id?: string
  @Property() label?: string
  @Property() count = 0
  @Json() tags?: { readonly colors: readonly string[] }
  @Convert(money) limit?: Money
  @Convert(shortGrade) grade?: string
  @Ignore() session = { open: true }

  @Property() get title(): string {
    return `${this.owner}!`
  }

  greet(): string {
    return this.owner
  }
}

/** A wallet with a value in each member. */
export const wallet = (): Wallet =>
  Object.assign(new Wallet(), {
    owner: 'jeff',
    opened: DateTimeValue.parse('2026-11-23T00:00:00Z'),
    no: 7n,
    balance: 2n ** 60n,
    rate: Number.NaN,
    seal: Uint8Array.of(0, 255),
    at: DateTimeValue.parse('2026-11-23T06:17:14.1234567Z'),
    id: 'c9da6455-213d-42c9-9a79-3e9149a57833',
    label: '漢🙂',
    count: 1.5,
    tags: { colors: ['red'] },
    limit: new Money(500n),
    grade: 'good',
  })

/** What the wallet is in JSON. */
export const plain = {
  owner: 'jeff',
  opened: '2026-11-23T00:00:00Z',
  no: '7',
  balance: '1152921504606846976',
  rate: 'NaN',
  seal: 'AP8=',
  at: '2026-11-23T06:17:14.1234567Z',
  id: 'c9da6455-213d-42c9-9a79-3e9149a57833',
  label: '漢🙂',
  count: 1.5,
  tags: { colors: ['red'] },
  limit: '500',
  grade: 'good',
  title: 'jeff!',
}
