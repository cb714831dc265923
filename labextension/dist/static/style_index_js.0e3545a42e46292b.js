"use strict";(self.rspackChunkcl_magic=self.rspackChunkcl_magic||[]).push([["style_index_js"],{"./node_modules/css-loader/dist/cjs.js!./style/base.css"(e,o,r){var t=r("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),n=r.n(t),l=r("./node_modules/css-loader/dist/runtime/api.js"),i=(r.n(l))()(n());i.push([e.id,`/* What JupyterLab's themes leave unstyled in OpenCL C, with their own colours. */
.cl-type {
  color: var(--jp-mirror-editor-keyword-color);
}

.cl-call {
  color: var(--jp-mirror-editor-def-color);
}

.cl-unknown-flag {
  color: var(--jp-mirror-editor-attribute-color);
  text-decoration: underline dotted var(--jp-error-color1);
}

/* Marks of diagnostics: the underline, its disc in the gutter, the tooltip. */
.cl-editor.cm-editor .cm-lintRange {
  background-image: none;
  text-decoration: underline wavy 1px;
  text-decoration-skip-ink: none;
  text-underline-offset: 3px;
}

.cl-editor.cm-editor .cl-mark-error {
  text-decoration-color: var(--jp-error-color1);
}

.cl-editor.cm-editor .cl-mark-warning {
  text-decoration-color: var(--jp-warn-color1);
}

.cl-editor.cm-editor .cl-mark-note,
.cl-editor.cm-editor .cl-mark-remark {
  text-decoration-color: var(--jp-info-color1);
}

.cl-editor.cm-editor .cm-gutters:not(:has(.cm-lineNumbers)),
.cl-editor.cm-editor .cm-gutter-lint {
  border-right: 0;
  background: transparent;
}

.cl-editor.cm-editor .cm-gutter-lint {
  width: 14px;
}

.cl-editor.cm-editor .cm-gutter-lint .cm-gutterElement {
  padding: 0 2px;
  display: flex;
  align-items: center;
}

.cl-editor.cm-editor .cm-lint-marker {
  width: 10px;
  height: 10px;
  box-sizing: border-box;
  content: none;
  border-radius: 50%;
  background: var(--jp-info-color1);
}

.cl-editor.cm-editor .cm-lint-marker-error {
  background: var(--jp-error-color1);
}

.cl-editor.cm-editor .cm-lint-marker-warning {
  border-radius: 0;
  background: var(--jp-warn-color1);
  clip-path: polygon(50% 0, 100% 100%, 0 100%);
}

/* The tooltip stands outside of the editor's own element. */
.cm-tooltip .cm-tooltip-lint .cm-diagnostic:has(.cl-mark-message) {
  border-left: 0;
  padding: 4px 8px;
  font-family: var(--jp-ui-font-family);
  font-size: 13px;
  line-height: 20px;
}

.cm-tooltip .cm-diagnostic:has(.cl-mark-message) .cm-diagnosticAction.cm-diagnosticAction {
  margin: 4px 8px 0 0;
  padding: 2px 8px;
  min-height: 22px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 2px;
  background: var(--jp-layout-color0);
  color: var(--jp-content-link-color);
  font-size: 13px;
}

.cm-tooltip .cm-diagnostic:has(.cl-mark-message) .cm-diagnosticAction.cm-diagnosticAction:focus-visible,
.cl-jump:focus-visible {
  outline: 2px solid var(--jp-brand-color1);
}

.cl-mark-message > div {
  white-space: pre-wrap;
  max-width: 72ch;
}

.cl-is-error,
.cl-is-warning,
.cl-is-note,
.cl-is-remark {
  font-weight: 600;
  color: color-mix(in srgb, var(--jp-info-color1) 60%, var(--jp-ui-font-color1));
}

.cl-is-error {
  color: color-mix(in srgb, var(--jp-error-color1) 70%, var(--jp-ui-font-color1));
}

.cl-is-warning {
  color: color-mix(in srgb, var(--jp-warn-color1) 50%, var(--jp-ui-font-color1));
}

.cl-dim,
.cl-hint {
  color: var(--jp-ui-font-color2);
}

.cl-hint {
  margin: 4px 0;
  font-size: 13px;
  line-height: 20px;
}

/* Positions in a build report. */
.cl-output .clm:not(#_) .cl-jump {
  cursor: pointer;
  color: var(--jp-content-link-color);
}

.cl-output .clm:not(#_) .cl-jump:hover {
  text-decoration: underline;
}

/* The side panel. */
.cl-panel {
  overflow-y: auto;
  padding: 8px 12px 24px;
  background: var(--jp-layout-color1);
  color: var(--jp-ui-font-color1);
  font-family: var(--jp-ui-font-family);
  font-size: 13px;
  line-height: 20px;
}

.cl-panel section + section {
  margin-top: 16px;
}

.cl-panel h3 {
  margin: 0 0 4px;
  padding-bottom: 2px;
  border-bottom: 1px solid var(--jp-border-color2);
  font-size: 13px;
  font-weight: 600;
  line-height: 20px;
}

.cl-panel h3 .cl-dim {
  font-weight: 400;
}

.cl-panel ul {
  margin: 0;
  padding: 0;
  list-style: none;
}

.cl-panel .cl-row {
  display: flex;
  gap: 8px;
  align-items: baseline;
  width: 100%;
  box-sizing: border-box;
  padding: 4px 8px;
  border: 0;
  border-left: 2px solid transparent;
  background: none;
  color: inherit;
  font: inherit;
  text-align: left;
  overflow-wrap: anywhere;
  cursor: pointer;
}

.cl-panel .cl-row:hover {
  background: var(--jp-layout-color2);
}

.cl-panel .cl-row.cl-chosen {
  border-left-color: var(--jp-brand-color1);
}

.cl-panel .cl-row input {
  margin: 0;
  flex: none;
}

.cl-panel .cl-row .cl-dim,
.cl-panel td .cl-dim {
  font-size: 11px;
  line-height: 16px;
}

.cl-panel .cl-word {
  display: inline-block;
  max-width: 100%;
  overflow-wrap: anywhere;
}

.cl-panel .cl-mono,
.cl-panel code,
.cl-panel .cl-link {
  font-family: var(--jp-code-font-family);
  font-size: 12px;
}

.cl-panel .cl-badge {
  padding: 0 4px;
  border: 1px dashed var(--jp-info-color1);
  border-radius: 2px;
  font-size: 11px;
  line-height: 16px;
}

.cl-panel-note {
  margin: 4px 0 8px;
  color: var(--jp-ui-font-color2);
}

.cl-panel-note code {
  display: block;
  user-select: all;
  overflow-wrap: anywhere;
}

.cl-panel .cl-button {
  margin-top: 4px;
  padding: 2px 8px;
  min-height: 24px;
  border: 1px solid var(--jp-border-color1);
  border-radius: 2px;
  background: var(--jp-layout-color0);
  color: var(--jp-ui-font-color1);
  font: inherit;
  cursor: pointer;
}

.cl-panel .cl-button:hover {
  background: var(--jp-layout-color2);
}

.cl-panel .cl-link {
  padding: 2px 0;
  min-height: 22px;
  border: 0;
  background: none;
  color: var(--jp-content-link-color);
  cursor: pointer;
}

.cl-panel .cl-link:hover {
  text-decoration: underline;
}

.cl-panel .cl-scroll {
  overflow-x: auto;
}

.cl-panel table {
  width: 100%;
  border-collapse: collapse;
}

.cl-panel th {
  padding: 1px 8px 1px 0;
  color: var(--jp-ui-font-color2);
  font-size: 11px;
  font-weight: 400;
  line-height: 16px;
  text-align: left;
}

.cl-panel td {
  padding: 1px 8px 1px 0;
  vertical-align: baseline;
}

.cl-panel .cl-num {
  white-space: nowrap;
}

.cl-panel th:last-child,
.cl-panel td:last-child {
  padding-right: 2px;
}

.cl-panel .cl-num {
  text-align: right;
  font-variant-numeric: tabular-nums;
}

.cl-panel :focus-visible {
  outline: 2px solid var(--jp-brand-color1);
  outline-offset: -2px;
}

.cl-panel[aria-busy] {
  cursor: progress;
}

.cl-run-tab {
  overflow: auto;
  padding: 8px 16px;
  background: var(--jp-layout-color0);
}
`,""]),r.d(o,{},{A:i})},"./node_modules/css-loader/dist/cjs.js!./style/language.css"(e,o,r){var t=r("./node_modules/css-loader/dist/runtime/noSourceMaps.js"),n=r.n(t),l=r("./node_modules/css-loader/dist/runtime/api.js"),i=(r.n(l))()(n());i.push([e.id,`/* Explanations under the pointer. */

.cl-editor .cm-tooltip.cm-tooltip-hover:has(.cl-explanation) {
  background: var(--jp-layout-color1);
  border: var(--jp-border-width) solid var(--jp-border-color1);
  border-radius: var(--jp-border-radius);
  box-shadow: var(--jp-elevation-z4);
  color: var(--jp-ui-font-color1);
  max-width: 34rem;
}

.cl-explanation {
  font-family: var(--jp-ui-font-family);
  font-size: var(--jp-ui-font-size1);
  line-height: 1.45;
  padding: 8px 12px;
}

.cl-explanation > div:first-child {
  align-items: baseline;
  display: flex;
  gap: 12px;
  justify-content: space-between;
}

.cl-explanation .cl-explanation-title {
  background: none;
  color: var(--jp-content-font-color1);
  font-family: var(--jp-code-font-family);
  font-size: var(--jp-code-font-size);
  font-weight: 600;
  white-space: pre-wrap;
}

.cl-explanation p {
  margin: 6px 0 0;
}

.cl-explanation dl {
  column-gap: 12px;
  display: grid;
  grid-template-columns: max-content 1fr;
  margin: 6px 0 0;
}

.cl-explanation dd {
  margin: 0;
}

.cl-explanation .cl-explanation-clause {
  font-size: var(--jp-ui-font-size0);
  margin-top: 6px;
}
`,""]),r.d(o,{},{A:i})},"./node_modules/css-loader/dist/runtime/api.js"(e){e.exports=function(e){var o=[];return o.toString=function(){return this.map(function(o){var r="",t=void 0!==o[5];return o[4]&&(r+="@supports (".concat(o[4],") {")),o[2]&&(r+="@media ".concat(o[2]," {")),t&&(r+="@layer".concat(o[5].length>0?" ".concat(o[5]):""," {")),r+=e(o),t&&(r+="}"),o[2]&&(r+="}"),o[4]&&(r+="}"),r}).join("")},o.i=function(e,r,t,n,l){"string"==typeof e&&(e=[[null,e,void 0]]);var i={};if(t)for(var a=0;a<this.length;a++){var c=this[a][0];null!=c&&(i[c]=!0)}for(var s=0;s<e.length;s++){var d=[].concat(e[s]);t&&i[d[0]]||(void 0!==l&&(void 0===d[5]||(d[1]="@layer".concat(d[5].length>0?" ".concat(d[5]):""," {").concat(d[1],"}")),d[5]=l),r&&(d[2]&&(d[1]="@media ".concat(d[2]," {").concat(d[1],"}")),d[2]=r),n&&(d[4]?(d[1]="@supports (".concat(d[4],") {").concat(d[1],"}"),d[4]=n):d[4]="".concat(n)),o.push(d))}},o}},"./node_modules/css-loader/dist/runtime/noSourceMaps.js"(e){e.exports=function(e){return e[1]}},"./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"(e){var o=[];function r(e){for(var r=-1,t=0;t<o.length;t++)if(o[t].identifier===e){r=t;break}return r}function t(e,t){for(var n={},l=[],i=0;i<e.length;i++){var a=e[i],c=t.base?a[0]+t.base:a[0],s=n[c]||0,d="".concat(c," ").concat(s);n[c]=s+1;var p=r(d),u={css:a[1],media:a[2],sourceMap:a[3],supports:a[4],layer:a[5]};if(-1!==p)o[p].references++,o[p].updater(u);else{var m=function(e,o){var r=o.domAPI(o);return r.update(e),function(o){o?(o.css!==e.css||o.media!==e.media||o.sourceMap!==e.sourceMap||o.supports!==e.supports||o.layer!==e.layer)&&r.update(e=o):r.remove()}}(u,t);t.byIndex=i,o.splice(i,0,{identifier:d,updater:m,references:1})}l.push(d)}return l}e.exports=function(e,n){var l=t(e=e||[],n=n||{});return function(e){e=e||[];for(var i=0;i<l.length;i++){var a=r(l[i]);o[a].references--}for(var c=t(e,n),s=0;s<l.length;s++){var d=r(l[s]);0===o[d].references&&(o[d].updater(),o.splice(d,1))}l=c}}},"./node_modules/style-loader/dist/runtime/insertBySelector.js"(e){var o={};e.exports=function(e,r){var t=function(e){if(void 0===o[e]){var r=document.querySelector(e);if(window.HTMLIFrameElement&&r instanceof window.HTMLIFrameElement)try{r=r.contentDocument.head}catch(e){r=null}o[e]=r}return o[e]}(e);if(!t)throw Error("Couldn't find a style target. This probably means that the value for the 'insert' parameter is invalid.");t.appendChild(r)}},"./node_modules/style-loader/dist/runtime/insertStyleElement.js"(e){e.exports=function(e){var o=document.createElement("style");return e.setAttributes(o,e.attributes),e.insert(o,e.options),o}},"./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"(e,o,r){e.exports=function(e){var o=r.nc;o&&e.setAttribute("nonce",o)}},"./node_modules/style-loader/dist/runtime/styleDomAPI.js"(e){e.exports=function(e){if("u"<typeof document)return{update:function(){},remove:function(){}};var o=e.insertStyleElement(e);return{update:function(r){var t,n,l;t="",r.supports&&(t+="@supports (".concat(r.supports,") {")),r.media&&(t+="@media ".concat(r.media," {")),(n=void 0!==r.layer)&&(t+="@layer".concat(r.layer.length>0?" ".concat(r.layer):""," {")),t+=r.css,n&&(t+="}"),r.media&&(t+="}"),r.supports&&(t+="}"),(l=r.sourceMap)&&"u">typeof btoa&&(t+="\n/*# sourceMappingURL=data:application/json;base64,".concat(btoa(unescape(encodeURIComponent(JSON.stringify(l))))," */")),e.styleTagTransform(t,o,e.options)},remove:function(){var e;null===(e=o).parentNode||e.parentNode.removeChild(e)}}}},"./node_modules/style-loader/dist/runtime/styleTagTransform.js"(e){e.exports=function(e,o){if(o.styleSheet)o.styleSheet.cssText=e;else{for(;o.firstChild;)o.removeChild(o.firstChild);o.appendChild(document.createTextNode(e))}}},"./style/index.js"(e,o,r){var t=r("./node_modules/style-loader/dist/runtime/injectStylesIntoStyleTag.js"),n=r.n(t),l=r("./node_modules/style-loader/dist/runtime/styleDomAPI.js"),i=r.n(l),a=r("./node_modules/style-loader/dist/runtime/insertBySelector.js"),c=r.n(a),s=r("./node_modules/style-loader/dist/runtime/setAttributesWithoutAttributes.js"),d=r.n(s),p=r("./node_modules/style-loader/dist/runtime/insertStyleElement.js"),u=r.n(p),m=r("./node_modules/style-loader/dist/runtime/styleTagTransform.js"),f=r.n(m),g=r("./node_modules/css-loader/dist/cjs.js!./style/base.css"),x={};x.styleTagTransform=f(),x.setAttributes=d(),x.insert=c().bind(null,"head"),x.domAPI=i(),x.insertStyleElement=u(),n()(g.A,x),g.A&&g.A.locals&&g.A.locals;var h=r("./node_modules/css-loader/dist/cjs.js!./style/language.css"),v={};v.styleTagTransform=f(),v.setAttributes=d(),v.insert=c().bind(null,"head"),v.domAPI=i(),v.insertStyleElement=u(),n()(h.A,v),h.A&&h.A.locals&&h.A.locals}}]);