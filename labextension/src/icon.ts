/** The icon of cl_magic: a device with its work-groups. */

import { LabIcon } from '@jupyterlab/ui-components';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16">
<g class="jp-icon3" fill="#616161"><path d="M3 3h10v10H3zM4.2 4.2v7.6h7.6V4.2z" fill-rule="evenodd"/>
<path d="M5.4 5.4h2.2v2.2H5.4zM8.4 5.4h2.2v2.2H8.4zM5.4 8.4h2.2v2.2H5.4zM8.4 8.4h2.2v2.2H8.4z"/>
<path d="M5 1h1v1.4H5zM10 1h1v1.4h-1zM5 13.6h1V15H5zM10 13.6h1V15h-1zM1 5h1.4v1H1zM1 10h1.4v1H1zM13.6 5H15v1h-1.4zM13.6 10H15v1h-1.4z"/></g></svg>`;

/** The same in the colours of a card, whose picture is a URL. */
export const CARD = `data:image/svg+xml,${encodeURIComponent(SVG.replace('#616161', '#0072b2'))}`;

export const chipIcon = new LabIcon({ name: 'cl-magic:chip', svgstr: SVG });
