/** The guide that the menu opens: what stands on a magic line, as Markdown, from the table that cl_magic itself has. */

import words from './words.json' with { type: 'json' };
import { text } from './translation.js';

const row = (cells: string[]): string => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** The guide's text. */
export function guide(): string {
  const flags = words.flags.map(flag => row([`\`${flag.name}${flag.value ? `=${flag.value}` : ''}\``, flag.meaning]));
  return [
    `# ${text('OpenCL in cells')}`,
    '```\n%load_ext cl_magic\n```',
    text('A cell whose first line is `%1` holds OpenCL C. It is built when it runs, its kernels become functions, and they take NumPy arrays:', '%%opencl'),
    '```c\n%%opencl\nkernel void twice(global float *x) { x[get_global_id(0)] *= 2; }\n```',
    '```python\nx = np.arange(1000, dtype=np.float32)\ntwice(x, global_size=x.size)\n```',
    text('`%1` lists the devices, `%2` says what ails OpenCL here, `%3` lists everything.', '%opencl devices', '%opencl doctor', '%opencl help'),
    `## ${text('On the first line')}`,
    [row([text('flag'), text('means')]), row(['---', '---']), ...flags].join('\n'),
    text('OpenCL build options stand bare: `-DN=4 -I include -cl-mad-enable`. `$name` and `${…}` put Python values in.')
  ].join('\n\n');
}
