import { all, announce } from './dom.ts';

const svg = 'http://www.w3.org/2000/svg';
const tipHeightPx = 26;

/** Shows the figure of a point of a chart under the mouse, or of the one that arrow keys choose. */
export function enableChart(chart: SVGSVGElement): void {
  const points = all('.hit', SVGRectElement, chart);
  const tip = document.createElementNS(svg, 'g');
  const [box, label] = [
    document.createElementNS(svg, 'rect'),
    document.createElementNS(svg, 'text'),
  ];
  tip.classList.add('tip');
  tip.append(box, label);
  let current = points.length;

  const show = (point: SVGRectElement) => {
    for (const each of points) each.classList.toggle('is-hover', each === point);
    chart.append(tip);
    label.textContent = point.dataset['tip'] ?? '';
    const width = label.getComputedTextLength() + 20;
    const { x, width: pointWidth } = point.getBBox();
    const middle = x + pointWidth / 2;
    const left = Math.max(0, Math.min(middle - width / 2, chart.clientWidth - width));
    const bar = point.previousElementSibling;
    const top =
      (bar instanceof SVGRectElement ? bar.getBBox().y : point.getBBox().height) - tipHeightPx - 4;
    const shape = { x: left, y: top, width, height: tipHeightPx, rx: 7 };
    for (const [name, value] of Object.entries(shape)) box.setAttribute(name, String(value));
    label.setAttribute('x', String(left + 10));
    label.setAttribute('y', String(top + 17));
  };
  const hide = () => {
    tip.remove();
    for (const each of points) each.classList.remove('is-hover');
  };

  chart.setAttribute('tabindex', '0');
  for (const point of points) point.addEventListener('mouseenter', () => show(point));
  chart.addEventListener('mouseleave', hide);
  chart.addEventListener('blur', hide);
  chart.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    current = Math.max(0, Math.min(current + step, points.length - 1));
    const point = points[current];
    if (point === undefined) return;
    show(point);
    announce(point.dataset['tip'] ?? '');
  });
}
