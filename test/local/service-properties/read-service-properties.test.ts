import { describe, expect, it } from 'vitest'
import { readServiceProperties } from '../../../packages/local/src/service-properties/service-properties.ts'

const document = (content: string) =>
  `<StorageServiceProperties>${content}</StorageServiceProperties>`
const retention = (content = '<Enabled>false</Enabled>') =>
  `<RetentionPolicy>${content}</RetentionPolicy>`
const logging = (end = retention()) =>
  `<Logging><Version>1.0</Version><Delete>False</Delete><Read>True</Read><Write>false</Write>${end}</Logging>`
const metrics = (content: string) =>
  `<HourMetrics><Version>1.0</Version>${content}${retention()}</HourMetrics>`

describe('readServiceProperties', () => {
  it('R-83: leaves out missing parts', async () => {
    expect(await readServiceProperties(document(''))).toEqual({})
    expect(await readServiceProperties(document('<Cors/>'))).toEqual({ cors: [] })
  })

  it('R-83: reads logging with members in any order, and Booleans in any case', async () => {
    expect(await readServiceProperties(document(logging()))).toEqual({
      logging: {
        version: '1.0',
        read: true,
        write: false,
        delete: false,
        retention: { enabled: false, days: undefined },
      },
    })
  })

  it('R-83: ignores the members of a disabled part', async () => {
    const read = async (content: string) =>
      (await readServiceProperties(document(metrics(content)))).hourMetrics
    const on = await read('<Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>')
    expect([on?.enabled, on?.includeApis]).toEqual([true, true])
    const off = await read('<Enabled>false</Enabled><IncludeAPIs>true</IncludeAPIs>')
    expect([off?.enabled, off?.includeApis]).toEqual([false, undefined])
    await expect(read('<Enabled>true</Enabled>')).rejects.toThrow()
  })

  it.each([
    ['<Enabled>true</Enabled><Days>1</Days>', { enabled: true, days: 1 }],
    ['<Enabled>true</Enabled><Days>365</Days>', { enabled: true, days: 365 }],
    ['<Enabled>false</Enabled><Days>366</Days>', { enabled: false, days: undefined }],
  ])('R-83: reads the retention %s', async (content, expected) => {
    const { logging: read } = await readServiceProperties(document(logging(retention(content))))
    expect(read?.retention).toEqual(expected)
  })

  it.each([
    '',
    'text',
    '<Other/>',
    document('<Other/>'),
    document('<Cors/><Cors/>'),
    document('<Logging/>'),
    document(logging('')),
    document(logging(retention('<Enabled>true</Enabled>'))),
    document(logging(retention('<Enabled>true</Enabled><Days>366</Days>'))),
    document(logging(retention('<Enabled>true</Enabled><Days>0</Days>'))),
    document(logging().replace('1.0', 'one')),
    document(logging().replace('True', 'yes')),
  ])('R-83: rejects %s', async (body) => {
    await expect(readServiceProperties(body)).rejects.toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidXmlDocument' }),
    )
  })
})
