import { declareIndexes } from '@rowkey/patterns'
import { connect, defineEntity, key } from 'rowkey'
import 'rowkey/embedded'
import { z } from 'zod'

const User = defineEntity({
  name: 'users',
  partitionKey: key`${'tenant'}`,
  rowKey: key`user_${'id'}`,
  schema: z.object({ tenant: z.string(), id: z.string(), email: z.string() }),
})
const indexes = declareIndexes(User, { email: { rowKey: key`email_${'email'}`, unique: true } })
async function main(): Promise<void> {
  const account = connect('memory:')
  const users = account.table(User)
  await users.create()
  await indexes.on(account).build()
  await users.insert({ tenant: 't1', id: 'u1', email: 'jeff@example.com' })
  const jeff = await indexes.on(account).find('email', { tenant: 't1', email: 'jeff@example.com' })
  const refused = await users
    .insert({ tenant: 't1', id: 'u2', email: 'jeff@example.com' })
    .catch((error: unknown) => (error as Error).name)
  await account.close()
  if (jeff?.id !== 'u1' || refused !== 'UniqueValueError')
    throw new Error(`${jeff?.id}, ${refused}`)
  console.log('the program of the package runs')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
