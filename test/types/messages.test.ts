import { describe, expect, it } from 'vitest'
import { compile, compileNatively, type DecoratorMode } from './compile.ts'

/** Declarations that are right; each mistake below is one more line. */
const declarations = `
import {
  Account, DateTime, Double, defineEntity, Encrypted, Entity, ETag, type EncryptionKeys, Guid, Int64, key, lifetime,
  PartitionKey, Property, RowKey,
} from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { z } from 'zod'

declare const account: Account
declare const keys: EncryptionKeys

@Entity('people')
class Customer {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('Int64') points?: bigint
}
const customers = account.table(Customer)

const schema = z.object({ customerId: z.string(), orderNo: z.number().int(), total: z.number() })
const Order = defineEntity({
  name: 'orders', partitionKey: key\`\${'customerId'}\`, rowKey: key\`0002_\${'orderNo:8'}\`, schema,
})
const orders = account.table(Order)
`

interface Mistake {
  readonly title: string
  readonly line: string
  /** The sentence of the message that names the mistake and the fix. */
  readonly says: string
}

const mistakes: readonly Mistake[] = [
  {
    title: 'a key in two arguments of get',
    line: "void customers.get('Smith', 'Jeff')",
    says: 'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key',
  },
  {
    title: 'a key in two arguments of find',
    line: "void orders.find('c1', 'x')",
    says: 'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key',
  },
  {
    title: 'a key in two arguments of delete',
    line: "void customers.delete('Smith', 'Jeff')",
    says: 'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key',
  },
  {
    title: 'a key in two arguments of deleteIfExists',
    line: "void orders.deleteIfExists('c1', 'x')",
    says: 'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key',
  },
  {
    title: 'a key in two arguments of exists',
    line: "void customers.exists('Smith', 'Jeff')",
    says: 'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key',
  },
  {
    title: 'a key in two arguments of modify',
    line: "void customers.modify('Smith', 'Jeff')",
    says: 'A key is one argument: pass [partitionKey, rowKey], or an object with the properties of the key',
  },
  {
    title: 'a missing part of a key',
    line: "void orders.get({ customerId: 'c1' })",
    says: '{ customerId: string; orderNo: number; }',
  },
  {
    title: 'a wrong name in a key template of a class',
    line: `@Entity({ partitionKey: key\`\${'stat'}\`, rowKey: key\`\${'id:8'}\` }) class Person { state = ''; id = 0 }`,
    says: "The key template names 'stat', but the class has no property of this name",
  },
  {
    title: 'a wrong type in a key template of a class',
    line: `@Entity({ partitionKey: key\`\${'state'}\`, rowKey: key\`\${'id'}\` }) class Person { state = ''; id = 0 }`,
    says: "The key template needs 'id' as a required string: declare the property so, or give the part another format, such as 'id:8' for numbers",
  },
  {
    title: 'a wrong name in a key template of a class with create',
    line: `@Entity({ create: () => new Made(''), partitionKey: key\`\${'nam'}\`, rowKey: key\`x\` }) class Made { constructor(readonly name: string) {} }`,
    says: "The key template names 'nam', but the class has no property of this name",
  },
  {
    title: 'a wrong name in a key template of a schema',
    line: `void defineEntity({ name: 'x', partitionKey: key\`\${'customer'}\`, rowKey: key\`\${'orderNo:8'}\`, schema })`,
    says: "The key template names 'customer', but the schema has no property of this name",
  },
  {
    title: 'a lifetime by a property that the schema lacks',
    line: `void defineEntity({ name: 'x', partitionKey: key\`\${'customerId'}\`, rowKey: key\`\${'orderNo:8'}\`, schema, lifetime: lifetime({ expiresAt: 'until' }) })`,
    says: '"until"',
  },
  {
    title: 'an unknown format in a key template',
    line: `void key\`\${'state'};\${'no:eight'}\``,
    says: "The key part 'no:eight' has an unknown format: use digits such as :8 or :19n, :int32,",
  },
  {
    title: 'an Int64 on a number',
    line: "class Row { @Property('Int64') n: number = 0 }",
    says: `Int64 is a bigint in TypeScript: declare the property as bigint, or pass { as: 'number' }`,
  },
  {
    title: 'an Int64 on an optional number',
    line: 'class Row { @Int64() n?: number }',
    says: `Int64 is a bigint in TypeScript: declare the property as bigint, or pass { as: 'number' }`,
  },
  {
    title: 'an Int64 as a number on a bigint',
    line: "class Row { @Int64({ as: 'number' }) n = 5n }",
    says: "This Int64 is a number in TypeScript: declare the property as number, or remove { as: 'number' }",
  },
  {
    title: 'a DateTime on a text',
    line: "class Row { @DateTime() since = 'today' }",
    says: 'DateTime is a Date in TypeScript: declare the property as Date',
  },
  {
    title: 'a Double on a getter of text',
    line: "class Row { @Double() get price() { return '' } }",
    says: 'Double is a number in TypeScript: declare the property as number',
  },
  {
    title: 'a Double on a setter of text',
    line: 'class Row { @Double() set price(_: string) {} }',
    says: 'Double is a number in TypeScript: declare the property as number',
  },
  {
    title: 'a Guid on a static field that is a number',
    line: 'class Row { @Guid() static id = 0 }',
    says: 'Guid is a string in TypeScript: declare the property as string',
  },
  {
    title: 'a key on a number',
    line: 'class Row { @PartitionKey() id = 0 }',
    says: 'A key is a string: declare the property as string, or use a key template in Entity({ partitionKey, rowKey })',
  },
  {
    title: 'an ETag on a number',
    line: 'class Row { @ETag() etag = 0 }',
    says: 'An ETag is a string: declare the property as etag?: string',
  },
  {
    title: 'an object without Json',
    line: "class Row { @Property() address = { street: '' } }",
    says: 'No Edm type stores this type: use Json() for arrays and objects, or Convert() with a converter',
  },
  {
    title: 'an encrypted property that is not a Secret',
    line: "class Row { @Encrypted(keys) ssn = '' }",
    says: 'Encrypted() needs a Secret: declare the property as Secret<…>',
  },
  {
    title: 'a constructor that needs arguments',
    line: "@Entity('needs') class Needs { constructor(readonly id: string) {} }",
    says: 'The constructor needs arguments: make them optional, or use Entity({ name, create: () => … })',
  },
  {
    title: 'a misspelled option of an index of a model',
    line: `void declareIndexes(Order, { byTotal: { rowKey: key\`total_\${'total:8'}_\${'orderNo:8'}\`, uniqe: true } })`,
    says: "Did you mean to write 'unique'?",
  },
  {
    title: 'an index of a model by a property that it lacks',
    line: `void declareIndexes(Order, { byTotal: { rowKey: key\`total_\${'totl:8'}_\${'orderNo:8'}\` } })`,
    says: "The key template names 'totl', but the class has no property of this name",
  },
  {
    title: 'a misspelled option of an index of a class',
    line: `void declareIndexes(Customer, { byName: { rowKey: key\`name_\${'firstName'}\`, uniqe: true } })`,
    says: "Did you mean to write 'unique'?",
  },
  {
    title: 'an instance in place of its class',
    line: 'void account.table(new Customer())',
    says: 'Pass a decorated class such as Customer, a model from defineEntity, or the name of a table',
  },
]

/** Each mistake is in a block of its own, so that names can repeat; decorated classes are statements there, too. */
const program = [declarations, ...mistakes.map(({ line }) => `{ ${line} }`)].join('\n')
const firstLine = declarations.split('\n').length + 1

describe.each([
  { name: 'TypeScript 6', messagesOf: compile },
  { name: 'TypeScript 7', messagesOf: compileNatively },
])('the messages of $name', ({ messagesOf }) => {
  describe.each<DecoratorMode>(['standard', 'legacy'])('with %s decorators', async (mode) => {
    const printed = await messagesOf(mode, program)
    // Every message begins with its place; further lines of it are indented.
    const messages = printed.split(/^program\.ts\(/m).slice(1)

    it.each(mistakes)('name the mistake and the fix: $title', ({ says, line }) => {
      const at = firstLine + mistakes.findIndex((mistake) => mistake.line === line)
      const message = messages.filter((each) => each.startsWith(`${at},`)).join('\n')
      expect(message).toContain(says)
    })

    it('are one line each for a wrong member', () => {
      const wrong = messages.filter((message) => message.includes('Decorator function return type'))
      expect(wrong.length).toBeGreaterThan(9)
      expect(wrong.filter((message) => message.trimEnd().includes('\n'))).toEqual([])
    })

    it('are at most three lines, one message for each mistake', () => {
      const lines = messages.map((message) => message.trimEnd().split('\n').length)
      expect(Math.max(...lines)).toBeLessThan(4)
      expect(messages).toHaveLength(mistakes.length)
    })
  })
})

it('a standard decorator on a method says where it belongs', () => {
  const method = "class Row { @Property('Int64') total() { return 5n } }"
  expect(compile('standard', declarations + method)).toContain(
    'Only public fields, accessors, getters and setters are mapped: move the decorator to one of them',
  )
})
