import { rowkey } from 'rowkey/vite'
import { describe, expect, it } from 'vitest'
import { casesToPlay } from '../../support/cases-to-play.ts'

const decorated = `import { Entity } from 'rowkey'
@Entity('people')
export class Customer {
  @PartitionKey() name!: string
}
`

describe.each(casesToPlay(['esbuild', 'typescript'] as const))(
  'rowkey/vite with %s',
  (compiler) => {
    const plugin = rowkey({ compiler })

    it('lowers the decorators of a module, with a source map', async () => {
      const output = await plugin.transform(decorated, '/src/customer.ts?v=1')
      expect(output?.code).not.toMatch(/^\s*@/m)
      expect(output?.code).not.toContain('sourceMappingURL')
      expect(output?.code).toContain('PartitionKey()')
      expect(JSON.parse(output?.map ?? '')).toMatchObject({ version: 3 })
    })

    it('keeps JSX for the tool', async () => {
      const code = `${decorated}export const title = <b>Customer</b>\n`
      const output = await plugin.transform(code, '/src/customer.tsx')
      expect(output?.code).toContain('<b>Customer</b>')
    })
  },
)
