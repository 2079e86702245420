import { afterEach, expect, it, vi } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'

const PARSER = '../../../packages/rest/src/xml/parse-xml.ts'
const missing = new Error('the file is not deployed')
/** The test runner puts an error of its own around that of the module. */
const missingParser = { name: 'InputError', code: 'MissingDependency', cause: { cause: missing } }

afterEach(() => {
  vi.doUnmock(PARSER)
  vi.resetModules()
})

const conflict: Turn = {
  status: 409,
  body: '{"odata.error":{"code":"EntityAlreadyExists","message":{"value":"No."}}}',
}

it('a write behind a 502 in XML stays in doubt when the XML parser cannot be loaded', async () => {
  vi.resetModules()
  vi.doMock(PARSER, () => {
    throw missing
  })
  const { insertEntity, perform, tableService } = await import('@rowkey/rest')
  const page: Turn = { status: 502, body: '<Error><Code>BadGateway</Code></Error>' }
  const transport = scriptedTransport(page, conflict)
  const service = tableService({
    connectionString: 'UseDevelopmentStorage=true',
    transport,
    sleep: async () => {},
  })
  await expect(perform(service, insertEntity, jeff)).rejects.toMatchObject({
    mayHaveApplied: true,
  })
  expect(transport.requests.length).toBeGreaterThan(1)
})

it('a parser that could not be loaded is loaded again by the next document', async () => {
  let isMissing = true
  vi.resetModules()
  vi.doMock(PARSER, async (original) => {
    if (isMissing) throw missing
    return original()
  })
  const { readXml } = await import('../../../packages/rest/src/xml/read-xml.ts')
  await expect(readXml('<a/>')).rejects.toMatchObject(missingParser)
  isMissing = false
  expect((await readXml('<a/>'))?.isNamed('a')).toBe(true)
})
