import { undiciTransport } from '@rowkey/rest'
import { describe } from 'vitest'
import { describeConformance } from '../conformance/describe-conformance.ts'
import { ServiceClient } from '../conformance/service-client.ts'
import { startAzurite } from './start-azurite.ts'

describe('Azurite', () => {
  describeConformance(
    async () => {
      const azurite = await startAzurite()
      const transport = undiciTransport()
      return {
        client: new ServiceClient(azurite.connectionString, transport),
        async close() {
          await transport.close?.()
          await azurite.close()
        },
      }
    },
    ({ azuriteDiffers }) => azuriteDiffers && `deviation ${azuriteDiffers}`,
  )
})
