import { startLocalService } from '@rowkey/local'
import { connect } from 'rowkey'

/** Closes a service over HTTP, and starts another on its port. */
async function run(): Promise<void> {
  const first = await startLocalService({ port: 0 })
  const account = connect(first.connectionString)
  await account.table('people').create()
  await first.close()
  const second = await startLocalService({ port: first.port })
  await account.table('people').create()
  await account.close()
  await second.close()
  console.log('the service closes')
}

run().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
