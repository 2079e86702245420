/** Draws the times of jobs by latency for docs/pictures. */
import { writeFileSync } from 'node:fs'

const FILE = new URL('../docs/pictures/latency.svg', import.meta.url)
const PANEL = { width: 200, height: 190, top: 74, gap: 54, left: 64 }
/** How each contender is drawn, in the order of the table. */
const STYLES = ['own', 'by8', 'by32', 'by50']

const figure = (number) => Math.round(number).toLocaleString('en')

/**
 * Draws one panel for each job.
 *
 * @param titles - the contenders
 * @param curves - `{ job, latency, times }`, a time in milliseconds for each contender
 */
export function drawCurves(titles, curves) {
  const jobs = [...new Set(curves.map(({ job }) => job))]
  const panels = jobs.map((job, at) =>
    panel(
      curves.filter((curve) => curve.job === job),
      job,
      at,
    ),
  )
  const legend = titles.map((title, at) => {
    const x = PANEL.left + at * 180
    return `  <path class="curve ${STYLES[at]}" d="M${x} 306h28" />
  <text class="ink small" x="${x + 36}" y="310">${title}</text>`
  })
  const told = jobs.map((job) => {
    const own = curves.filter((curve) => curve.job === job)
    const points = own.map(
      ({ latency, times }) =>
        `${latency} ms: ${titles.map((title, at) => `${title} ${figure(times[at])} ms`).join(', ')}`,
    )
    return `${job}. ${points.join('; ')}.`
  })
  writeFileSync(FILE, svg(panels.join('\n'), legend.join('\n'), told.join(' ')))
}

function panel(curves, job, at) {
  const x0 = PANEL.left + at * (PANEL.width + PANEL.gap)
  const bottom = PANEL.top + PANEL.height
  const latencies = curves.map(({ latency }) => latency)
  const most = Math.max(...curves.flatMap(({ times }) => times))
  const scale = Math.log(Math.max(...latencies) / Math.min(...latencies))
  const x = (latency) => x0 + (Math.log(latency / Math.min(...latencies)) / scale) * PANEL.width
  // Times differ by two orders of magnitude, so they are drawn by their logarithm.
  const least = Math.min(...curves.flatMap(({ times }) => times))
  const y = (time) => bottom - (Math.log(time / least) / Math.log(most / least)) * PANEL.height
  const lines = STYLES.map((style, contender) => {
    const points = curves.map(
      ({ latency, times }) => `${x(latency).toFixed(1)} ${y(times[contender]).toFixed(1)}`,
    )
    return `  <path class="curve ${style}" d="M${points.join('L')}" />`
  }).reverse()
  const marks = latencies.map(
    (latency) =>
      `  <text class="soft small middle" x="${x(latency)}" y="${bottom + 18}">${latency}</text>`,
  )
  const ticks = [least, Math.sqrt(least * most), most].map(
    (
      time,
    ) => `  <text class="soft small end" x="${x0 - 8}" y="${(y(time) + 4).toFixed(1)}">${figure(time)}</text>
  <path class="grid" d="M${x0} ${y(time).toFixed(1)}h${PANEL.width}" />`,
  )
  const words = job.split(', ')
  return `  <text class="ink strong small" x="${x0}" y="${PANEL.top - 32}">${words[0]}</text>
  <text class="soft small" x="${x0}" y="${PANEL.top - 14}">${words.slice(1).join(', ')}</text>
${ticks.join('\n')}
${lines.join('\n')}
${marks.join('\n')}`
}

const svg = (
  panels,
  legend,
  told,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 330" role="img" aria-labelledby="title desc" font-family="system-ui, -apple-system, Segoe UI, sans-serif" font-size="14">
  <title id="title">The time of whole jobs by the latency of the service</title>
  <desc id="desc">Milliseconds, by milliseconds of latency. ${told}</desc>
  <style>
    .paper { fill: #ffffff; }
    .ink { fill: #1f2328; }
    .soft { fill: #59636e; }
    .strong { font-weight: 600; }
    .small { font-size: 12.5px; }
    .middle { text-anchor: middle; }
    .end { text-anchor: end; }
    .grid { stroke: #d1d9e0; fill: none; }
    .curve { fill: none; stroke-width: 2; }
    .own { stroke: #0969da; stroke-width: 3; }
    .by8 { stroke: #cf222e; }
    .by32 { stroke: #9a6700; stroke-dasharray: 7 4; }
    .by50 { stroke: #59636e; stroke-dasharray: 2 4; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; }
      .ink { fill: #f0f6fc; }
      .soft { fill: #9198a1; }
      .grid { stroke: #3d444d; }
      .own { stroke: #4493f8; }
      .by8 { stroke: #f85149; }
      .by32 { stroke: #d29922; }
      .by50 { stroke: #9198a1; }
    }
  </style>
  <rect class="paper" width="800" height="330" rx="8" />
  <text class="soft small" x="${PANEL.left}" y="22">ms until the job is done, by ms of latency; both axes are logarithmic</text>
${panels}
${legend}
</svg>
`
