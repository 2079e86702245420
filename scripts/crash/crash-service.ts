/** The service that is killed: serves the folder it is given and says where. */
import { startLocalService } from '@rowkey/local'

const { connectionString } = await startLocalService({ port: 0, data: process.argv[2] })
console.log(connectionString)
