/** Prints the results as Markdown. All figures are ratios within one run. */
import { median, row } from '../report.mjs'

const REFERENCE = 'azurite'

const table = (head, rows) =>
  [row(head), row(['---', ...head.slice(1).map(() => '--:')]), ...rows.map(row)].join('\n')

/** The reference's figure divided by a service's, in the same slice. */
function timesLess(names, samples, name) {
  const at = names.indexOf(name)
  const reference = names.indexOf(REFERENCE)
  const ratio = median(samples.map((slice) => slice[reference] / slice[at]))
  return ratio.toFixed(1)
}

/** How many times less CPU than the reference each operation costs. */
export const costTable = (names, samples) =>
  table(
    ['times less server CPU', ...Object.keys(samples)],
    names.map((name) => [
      name,
      ...Object.values(samples).map((slices) => timesLess(names, slices, name)),
    ]),
  )

/** The same for the time and the CPU until the first response. */
export function startUpTable(names, samples) {
  const only = (what) => samples.map((round) => round.map((times) => times[what]))
  return table(
    ['times less until the first response', 'time', 'CPU'],
    names.map((name) => [
      name,
      timesLess(names, only('wall'), name),
      timesLess(names, only('cpu'), name),
    ]),
  )
}

/** The cost of a read in a table of each size, as a ratio to the service's smallest table. */
export function curveTable(names, curves) {
  const sizes = Math.max(...names.map((name) => curves[name].length))
  const longest = names.find((name) => curves[name].length === sizes)
  const head = curves[longest].map(({ rows }) => `${rows.toLocaleString('en')} rows`)
  return table(
    ['cost by size of the table', ...head],
    names.flatMap((name) => curveRows(name, curves[name], sizes)),
  )
}

function curveRows(name, curve, sizes) {
  const [smallest] = curve
  if (smallest === undefined) return []
  return Object.keys(smallest.costs).map((operation) => {
    const cells = Array.from({ length: sizes }, (_, at) => {
      const costs = curve[at]?.costs[operation]
      if (costs === undefined) return '–'
      return median(costs.map((cost, slice) => cost / smallest.costs[operation][slice])).toFixed(2)
    })
    return [`${name}, ${operation}`, ...cells]
  })
}
