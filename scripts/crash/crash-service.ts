/** The service that is killed: serves a folder and prints its connection string. */
import { startLocalService } from '@rowkey/local'

const { connectionString } = await startLocalService({ port: 0, data: process.argv[2] })
console.log(connectionString)
