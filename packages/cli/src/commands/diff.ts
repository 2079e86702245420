import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { Command } from 'commander'
import { chosenQuery, type RowChoice, withRowChoice } from '../condition/query-options.ts'
import { count, counted, withProgress } from '../output/progress.ts'
import { type LineChange, printRowLine } from '../rows/row-line.ts'
import { PRIVATE_FILE } from '../shell/files.ts'
import { EXIT, printJson, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import type { RowTable } from '../target/open-account.ts'
import { type PairOptions, withPair, withTables } from '../target/two-accounts.ts'
import { type DiffSide, diffRows, type RowDifference } from '../transfer/diff-tables.ts'

interface DiffOptions extends PairOptions, RowChoice {
  readonly report?: string
}

/** How many keys are printed. */
const SHOWN = 20

const SIGNS: Readonly<Record<LineChange, string>> = { insert: '+', replace: '~', delete: '-' }

/** `rowkey diff <table>`: compares two tables. */
export function diffCommand(shell: Shell): Command {
  return withRowChoice(withPair(new Command('diff')))
    .description('compares the rows of two tables; exits with 3 when they differ')
    .argument('<table>', 'the table')
    .option('--report <file>', 'writes what makes the second table as the first; import applies it')
    .action((name: string, options: DiffOptions) =>
      withTables(shell, name, options, async ({ first, second }) => {
        const side = (table: RowTable): DiffSide => ({
          query: chosenQuery(table, options),
          isSorted: table.parts.service.endpoint.flavour !== 'cosmos',
        })
        const found = { insert: 0, replace: 0, delete: 0 }
        const report =
          options.report === undefined
            ? undefined
            : await openReport(resolve(shell.folder, options.report))
        await withProgress(shell, 'compared', options, async (onRows) => {
          const { signal } = shell
          for await (const difference of diffRows(side(first), side(second), { signal }, onRows)) {
            found[difference.change]++
            await report?.write(difference)
            const total = found.insert + found.replace + found.delete
            if (!options.json && total <= SHOWN) await shell.print(shownDifference(difference))
          }
          await report?.close()
        }).catch(async (error) => {
          await report?.discard()
          throw error
        })
        if (options.json) await printJson(shell, { table: name, ...found })
        else shell.warn(diffText(found))
        if (found.insert + found.replace + found.delete > 0) shell.exitCode = EXIT.different
      }),
    )
}

function shownDifference({ change, row }: RowDifference): string {
  return `${SIGNS[change]} ${withoutControls(JSON.stringify([row.partitionKey, row.rowKey]))}\n`
}

function diffText({ insert, replace, delete: gone }: Readonly<Record<LineChange, number>>): string {
  if (insert + replace + gone === 0) return 'The tables are equal.\n'
  return `${counted(insert, 'row')} missing in the second table (+), ${count(replace)} different (~), ${count(gone)} only there (-).\n`
}

/** Opens a report, which has a line for each difference. */
async function openReport(path: string) {
  const file = createWriteStream(path, { mode: PRIVATE_FILE })
  await once(file, 'open')
  const closed = finished(file)
  closed.catch(() => {}) // it is awaited below
  return {
    async write({ row, change }: RowDifference): Promise<void> {
      const hasRoom = file.write(`${printRowLine(row, change)}\n`)
      if (!hasRoom) await Promise.race([once(file, 'drain'), closed])
    },
    async close(): Promise<void> {
      file.end()
      await closed
    },
    /** Removes a report that is not whole: it may name rows to delete that only come later in the other table. */
    async discard(): Promise<void> {
      file.destroy()
      await rm(path, { force: true })
    },
  }
}
